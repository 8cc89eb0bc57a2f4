"""Python code of the template, the same in every project and never edited."""
