"""Check digits: what tells a number that somebody goes by from any other number.

Each function takes the digits and letters of a value, without blanks and signs. That a number by
chance has the right check digit happens once in ten, so many values must have it.
"""

from __future__ import annotations

_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_VIN_VALUES = dict(
    zip(
        "0123456789ABCDEFGHJKLMNPRSTUVWXYZ",
        map(int, "012345678912345678123457923456789"),
        strict=True,
    )
)


def _weighted(code: str, weights: tuple[int, ...]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(code, weights, strict=False))


def luhn(code: str) -> bool:
    """Say whether the last digit is that of Luhn: payment cards, IMEI, Swedish personal numbers.

    >>> luhn("4111111111111111"), luhn("4111111111111112")
    (True, False)
    """
    digits = [int(digit) for digit in reversed(code)]
    return (sum(digits[::2]) + sum(sum(divmod(2 * d, 10)) for d in digits[1::2])) % 10 == 0


def iban(code: str) -> bool:
    """Say whether the check digits are those of ISO 13616 (ISO 7064, modulo 97).

    >>> iban("DE89370400440532013000"), iban("DE89370400440532013001")
    (True, False)
    """
    moved = code[4:] + code[:4]
    return int("".join(str(int(character, 36)) for character in moved)) % 97 == 1


def nhs(code: str) -> bool:
    """Say whether it is a number of the British NHS (modulo 11).

    >>> nhs("9434765919"), nhs("9434765918")
    (True, False)
    """
    return (11 - _weighted(code, tuple(range(10, 1, -1))) % 11) % 11 == int(code[9])


def bsn(code: str) -> bool:
    """Say whether it is a Dutch BSN (the test of eleven).

    >>> bsn("111222333"), bsn("111222334")
    (True, False)
    """
    return _weighted(code, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0


def nir(code: str) -> bool:
    """Say whether it is a French social security number (97 less the rest modulo 97).

    >>> nir("255081416802538"), nir("255081416802539")
    (True, False)
    """
    number = code[:13].replace("2A", "19").replace("2B", "18")
    return 97 - int(number) % 97 == int(code[13:])


def dni(code: str) -> bool:
    """Say whether it is a Spanish DNI or NIE.

    >>> dni("12345678Z"), dni("X1234567L"), dni("12345678A")
    (True, True, False)
    """
    number = code[:-1]
    if number[0] in "XYZ":
        number = str("XYZ".index(number[0])) + number[1:]
    return _DNI_LETTERS[int(number) % 23] == code[-1]


def cpf(code: str) -> bool:
    """Say whether it is a Brazilian CPF.

    >>> cpf("11144477735"), cpf("11144477734")
    (True, False)
    """
    first = _weighted(code[:9], tuple(range(10, 1, -1))) * 10 % 11 % 10
    second = _weighted(code[:10], tuple(range(11, 1, -1))) * 10 % 11 % 10
    return (first, second) == (int(code[9]), int(code[10]))


def nif(code: str) -> bool:
    """Say whether it is a Portuguese NIF.

    >>> nif("123456789"), nif("123456788")
    (True, False)
    """
    rest = _weighted(code, tuple(range(9, 1, -1))) % 11
    return (0 if rest < 2 else 11 - rest) == int(code[8])


def pesel(code: str) -> bool:
    """Say whether it is a Polish PESEL.

    >>> pesel("44051401359"), pesel("44051401358")
    (True, False)
    """
    return (10 - _weighted(code, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)) % 10) % 10 == int(code[10])


def ean_13(code: str) -> bool:
    """Say whether it has the check digit of EAN-13, as Swiss AHV numbers do.

    >>> ean_13("7569217076985"), ean_13("7569217076984")
    (True, False)
    """
    return (10 - _weighted(code, (1, 3) * 6) % 10) % 10 == int(code[12])


def steuer_id(code: str) -> bool:
    """Say whether it is a German tax number (ISO 7064, modulo 11 and 10).

    >>> steuer_id("86095742719"), steuer_id("86095742718")
    (True, False)
    """
    product = 10
    for digit in code[:10]:
        product = ((int(digit) + product) % 10 or 10) * 2 % 11
    return (11 - product) % 10 == int(code[10])


def svnr(code: str) -> bool:
    """Say whether it is an Austrian social insurance number.

    >>> svnr("1237010180"), svnr("1238010180")
    (True, False)
    """
    return _weighted(code, (3, 7, 9, 0, 5, 8, 4, 2, 1, 6)) % 11 == int(code[3])


def vin(code: str) -> bool:
    """Say whether it is a vehicle identification number with a check digit (ISO 3779).

    >>> vin("1M8GDM9AXKP042788"), vin("1M8GDM9A1KP042788")
    (True, False)
    """
    rest = sum(_VIN_VALUES[c] * w for c, w in zip(code, _VIN_WEIGHTS, strict=True)) % 11
    return code[8] == ("X" if rest == 10 else str(rest))
