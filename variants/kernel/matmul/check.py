    {{ check }} = _checks.Checks(‹"{{ item.name }}", "{{ item.a }}", {{ item.a }}›)
    {{ check }}.floating() {{- checks(pass, check) }}
