"""The study file of the hospital's discharges, written to be read as an example."""

from __future__ import annotations

_CSV_KEYS = """\
delimiter = ","                 # these four are found out if you leave them away
quote = '"'                     # names are written "Müller, Zoë", so they are quoted
encoding = "utf-8"
header = true
"""

_STUDY = """\
# What is released of the hospital's discharges, and how. Try:
#
#     sfumato search study.toml -o run
#     sfumato front run
#     sfumato release run --pick 'k>=5' -o released.csv

[source]
path = "{data}"{padding}# relative to this file
{csv_keys}
# Every column has a role. A column that is not listed is an error, so that none slips through.

# Identifying: never leaves the hospital.
[columns.record_number]
role = "identifying"

[columns.name]
role = "identifying"

# Quasi-identifying: what others may know of a patient, from a register or by looking. Together
# these columns point at people, so each has a hierarchy by which it may become coarser.
[columns.birth_date]
role = "quasi-identifying"
# Days, then months, quarters, years, decades, and at last *. The declared first and last day
# make the loss the same whoever happens to be in the file.
hierarchy = {{ date = ["month", "quarter", "year", "decade"], first = "{first}", last = "{last}" }}

[columns.zip]
role = "quasi-identifying"
# 00214, then 0021*, 002**, 00***, and at last *. Codes are texts: zeros in front stay.
hierarchy = {{ prefix = 5, keep = [4, 3, 2] }}

[columns.sex]
role = "quasi-identifying"
hierarchy = {{ flat = ["female", "male"] }}

[columns.height_cm]
role = "quasi-identifying"
# Centimetres, then intervals: [170, 175), [170, 180), [160, 180), [160, 200), and at last *.
hierarchy = {{ intervals = [5, 10, 20, 40], low = 30, high = 219 }}

[columns.admission_date]
role = "quasi-identifying"
# A neighbour sees the ambulance, a colleague the sick leave.
hierarchy = {{ date = ["month", "quarter"], first = "{year}-01-01", last = "{year}-12-31" }}

# Sensitive: what must not be learnt about a patient.
[columns.diagnosis]
role = "sensitive"
# For t-closeness: two diagnoses are nearer to each other the lower in this tree they meet.
distance = {{ hierarchy = "hierarchies/diagnosis.csv" }}

# Insensitive: released as it is. These two are what the researchers ask for. We take it that
# nobody outside the hospital knows them, so that nobody finds a patient by them. If readers may
# hold bills, or know how long a colleague was away, make them quasi-identifying instead.
# Cost could be sensitive too. It has some 2,500 different values, so that nearly every class
# would have as many costs as rows: diversity would say nothing new, and a search with
# distinct-l takes almost twice as long.
[columns.length_of_stay]
role = "insensitive"

[columns.cost]
role = "insensitive"

[missing]
policy = "category"             # height is missing for 1 patient in 100: a category of its own

[suppression]
policy = "limit"                # rare people are left out, the smallest classes first,
limit = 0.02                    # up to 2 % of the rows
threshold = "largest"           # "every" also tries to leave out fewer

[search]
method = "auto"
# k: nobody is among fewer than k rows. distinct-l: these rows have at least l diagnoses, so that
# a class in which all have the same does not give it away. Both against the loss.
objectives = ["k", "distinct-l", "normalized-loss"]
seed = 1

[release]
suppressed = "drop"             # or "star": keep the rows, with * in every quasi-identifier
"""


def study_text(*, data: str, first_birth: str, year: int) -> str:
    """Return the text of the study file for the data file of that name, CSV or Parquet."""
    return _STUDY.format(
        data=data,
        padding=" " * max(1, 23 - len(data)),
        csv_keys=_CSV_KEYS if data.endswith(".csv") else "",
        first=first_birth,
        last=f"{year}-12-31",
        year=year,
    )
