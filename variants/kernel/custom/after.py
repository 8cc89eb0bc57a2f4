{% from pathjoin('languages', 'py_shapes.jinja') import new_tensors, sizes, tuple with context %}
{% from pathjoin('questions', 'dtypes.jinja') import listed %}
{% set fake = '_fake' if '_fake' not in given_names else '%s.of_module("%s", "_fake")' % (item.bindings, item.name) %}
{% set made_results = '«%s»' % (unpacked(item.results) if item.op_listed else item.results | join(', ')) %}
{# Lists of tensors, as a pattern. #}
{% set of_list = '^(%s)$' % item.lists | join('|') %}


_checks.before_kernel(‹[{{ ['_op', '_forward_op', '_unwritten_op'][:item.passes[0].registered | length]
  | join(', ') }}], "{{ item.name }}", ADDS_ATOMICALLY{{
  ', HAS_CPU_KERNEL, _fake, %s_reference' % item.name if build != 'nvrtc' }}{{ ', sized=[‹%s›]' % item.sized
  | map('to_json') | join(', ') if item.sized and build != 'nvrtc' }}›)
{% if build == 'nvrtc' %}


# EDIT: how the kernel is launched.
def _call(‹{{ item.args | join(', ', 'typed') }}›) -> {{ item.bindings }}.CustomCall:
    """Return the struct of {{ item.name }}_args.h, and the blocks and threads of the launch."""
{% set given = sizes(item.shapes) | regex_replace('(?m)^(?=.)', '    ') %}
{% if item.sized %}
    {{ made_results }} = {{ fake }}(‹{{ arguments(item.args) }}, {{ item.sized | join('=0, ') }}=0›)
{{ given -}}
{{ ('    # EDIT: the largest %s: results are allocated with this size and then cut to the size that the kernel counts.'
  % listed(item.sized, 'and')) | wordwrap(100, false, '\n    # ', false) }}
{% for most in item.shapes.counted %}
    {{ most.name }} = {{ most.text }}
    {{ most.count }} = {{ item.typed }}.new_zeros((), dtype=torch.int64)
{% endfor %}
{% endif %}
{{ '    # EDIT: call .zero_() on a result that threads add to.\n' if item.results -}}
{% for x in item.shapes.results if x.sizes | rejectattr('known') | list %}
    {{ 'if %s is not None:\n        ' % x.name if x.when }}{{ x.name }}.resize_(‹{{ x.sizes | join(', ', 'most') }}›)
{% else %}
    {{ made_results ~ ' = ' if item.results }}{{ fake }}(‹{{ arguments(item.args) }}›)
{% endfor %}
{{ given if not item.sized -}}
{% for x in item.inputs if x.name not in item.strided %}
    {{ 'if %s is not None:\n        ' % x.name if x.optional }}{{ x.name }} = {{
      ('[x.contiguous() for x in %s]' if x.list else '%s.contiguous()') % x.name }}
{% endfor %}
{% set memory = item.shapes.tensors | selectattr('scratch') | list %}
{{ '    # Scratch memory. EDIT: call .zero_() if it must start as zeros.\n' if memory -}}
{{ item.shapes.asked | map('regex_replace', '(.+)', '    \\1 = 0  # EDIT: the size that the kernel needs\n') | join -}}
{{ new_tensors(memory, item.shapes) | regex_replace('(?m)^(?=.)', '    ') -}}
{% if item.written %}
{% set written = item.written | map(attribute='name') | list %}
    {{ item.bindings }}.check_written(‹"{{ item.name }}", [‹{{ item.inputs | map(attribute='name')
      | map('regex_replace', of_list, '*\\1') | join(', ') }}›], [‹{{ item.strided
      | select('in', written) | map('to_json') | join(', ') }}›], {{ '{‹%s›}, ' % (item.over | to_json)[1:-1]
      | regex_replace('"(\\w+)"(?!:)', '\\1') if item.over }}{{ named(written) }}›)
{% endif %}
    {{ '# EDIT: the number of threads.\n    ' if not item.by_rows }}{{ item.counted }} = {{
      item.num_threads_in_python }}
{% if item.by_rows %}
{% set launch = own('launch', given_names) %}
    {{ launch }} = {{ item.bindings }}.row_call(‹"{{ item.name }}", {{ item.typed }}, {{ item.counted }}, {{
      item.columns }}, [‹{{ item.of_element | map(attribute='dtype') | unique | join(', ') }}›], [‹{{ item.rows
      | rejectattr('kind', 'equalto', 'row') | join(', ', 'name') }}›], once={{ item.once }}›)
{% endif %}
    return {{ item.bindings }}.CustomCall(
{% if not item.by_rows %}
        grid=(-(-{{ item.counted }} // 256), 1, 1),
        block=(256, 1, 1),
{% endif %}
        first={{ item.typed }},
        dtypes={{ tuple(item.variables | map(attribute='value.py') | map('regex_replace', '^\\((.*)\\)$', '\\1')
          | list) }},
        outputs=[‹{{ item.outputs | map('regex_replace', of_list, '*\\1') | join(', ') }}›],
        result={{ 'None' if not item.results else '[‹%s›]' % item.results | join(', ') if item.op_listed
          else item.results[0] if item.results | length == 1 else '(‹%s›)' % item.results | join(', ') }},
        struct=[‹{{ item.fields | join(', ', 'in_python') }}›],
{% if item.by_rows %}
        **{{ launch }},
{% elif item.sized | length == 1 and not item.cut | map(attribute='1.place') | sum
  and not item.cut | selectattr('0.when') | list %}
        count={{ item.shapes.counted[0].count }},
        sized=[‹{{ item.cut | map(attribute='0.name') | join(', ') }}›],
{% elif item.sized %}
        # Each count, and the results that have this size, with its dimension.
        counted=[
{% for most in item.shapes.counted %}
            (‹{{ most.count }}, [{{ item.cut | selectattr('1.name', 'equalto', most.size)
              | join(', ', '1.dimension') }}]›),
{% endfor %}
        ],
{% endif %}
    )
{% endif %}
