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
        else:
            line = line and f"{check.__name__:12}{line}"
        if line:
            print(line, flush=True)
    return 1 if wrong else 0
