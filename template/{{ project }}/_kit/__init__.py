"""Shared Python code of the template: do not edit."""
