    {{ check }} = _checks.Checks(‹"{{ item.name }}", "{{ first }}", {{ first }}›)
    {{ check }}(‹"{{ first }}", {{ first }}, [{{ item.torch_dtypes }}]›)
