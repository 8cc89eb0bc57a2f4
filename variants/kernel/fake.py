{% set pass = item.passes[0] %}
    _checks.check_defined(‹"{{ item.name }}", {{ named(item.required) }}›)
{% include pathjoin('variants', 'kernel', item.kernel, 'check.py') %}
{{ '    %s = «%s or %s.dtype»\n' % (item.dtype, item.dtype, item.first) if item.dtype_optional -}}
{{ '    %s.dtype(‹"%s", %s, _checks.DTYPES›)\n' % (check, item.dtype, item.dtype) if item.dtype -}}
{{ '    return %s\n' % (('«%s»' if item.results[1:] else '%s') % ([item.empty] * item.results | length) | join(', '))
  if item.results -}}
