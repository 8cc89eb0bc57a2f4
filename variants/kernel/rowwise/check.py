    {{ check }} = _checks.Checks(‹"{{ item.name }}", "{{ pass.first }}", {{ pass.first }}›)
    {{ check }}.floating()
    {{ check }}.rows() {{- checks(pass, check) }}
