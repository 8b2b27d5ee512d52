"""What is shown, as frozen values with their JSON, shared by the command line and the pages."""
