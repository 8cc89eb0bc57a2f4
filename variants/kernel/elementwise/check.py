    {{ check }} = _checks.Checks(‹"{{ item.name }}", "{{ pass.first }}", {{ pass.first }}›)
    {{ check }}.floating() {{- checks(pass, check) }}
{{ check_lengths(item) | regex_replace('(?m)^(?=.)', '    ') if not pass.grads -}}
