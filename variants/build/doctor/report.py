def report() -> int:
    """Print what is here and what is wrong, and return the exit status."""
    wrong = False
    for check in CHECKS:
{% if not compiled_wheels %}
        if check in LAST and wrong:
            continue  # it would only say the same in other words, and may compile
{% endif %}
        try:
            line = check()
        except Exception as error:  # noqa: BLE001, as programs and files may say anything
{% if compiled_wheels %}
            if check in LAST and wrong:
                continue  # it only says the same in other words
{% endif %}
            wrong, line = True, f"WRONG: {error if isinstance(error, Finding) else repr(error)}"
        if line:
            print(f"{check.__name__:12}{line}", flush=True)
    return int(wrong)
