def report() -> int:
    """Print what is here and what is wrong, and return the exit status."""
    wrong = 0
    for check in CHECKS:
        if check in LAST and wrong:
            continue  # it would only say the same in other words
        try:
            line = check()
        except Finding as finding:
            wrong += 1
            line = f"{check.__name__:12}WRONG: {finding}"
        except Exception as error:  # noqa: BLE001, as programs and files may say anything
            wrong += 1
            line = f"{check.__name__:12}WRONG: it could not be looked at: {error!r}"
        else:
            line = line and f"{check.__name__:12}{line}"
        if line:
            print(line, flush=True)
    return 1 if wrong else 0
