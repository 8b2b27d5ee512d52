"""The commands, one file each; a file here that defines COMMAND is a command."""
