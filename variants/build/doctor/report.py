def report() -> int:
    """Print what is here and what is wrong, and return the exit status."""
    wrong = False
    for check in CHECKS:
{% if not compiled_wheels %}
        if check in LAST and wrong:
            continue  # it would only say the same in other words, and may compile
{% endif %}
        try:
            line, fault = check(), False
        except Finding as finding:
            line, fault = f"WRONG: {finding}", True
        except Exception as error:  # noqa: BLE001, as programs and files may say anything
            line, fault = f"WRONG: it could not be looked at: {error!r}", True
{% if compiled_wheels %}
        if check in LAST and fault and wrong:
            continue  # it only says the same in other words
{% endif %}
        wrong = wrong or fault
        if line:
            print(f"{check.__name__:12}{line}", flush=True)
    return int(wrong)
