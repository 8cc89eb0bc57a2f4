def report() -> int:
    """Print what is here and what is wrong, and return the exit status."""
    wrong = False
    for check in CHECKS:
        if check in LAST and wrong:
            continue  # it would only say the same in other words
        try:
            line = check()
        except Finding as finding:
            line, wrong = f"WRONG: {finding}", True
        except Exception as error:  # noqa: BLE001, as programs and files may say anything
            line, wrong = f"WRONG: it could not be looked at: {error!r}", True
        if line:
            print(f"{check.__name__:12}{line}", flush=True)
    return int(wrong)
