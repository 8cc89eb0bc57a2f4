
{% set compared = item.outputs_of[0] | replace('#', 'out') if single else 'outputs(args, %s)' % ('out' if item.returned else 'None') %}

def test_defaults(device):
    names = {{ item.names | to_json }}
    defaults = {{ item.defaults | to_json }}
    args = dict(zip(names, make_args(device=device)))
    args = {name: x for name, x in args.items() if name not in defaults}
    doubles = dict(zip(args, as_double(args.values())))
    expected = {{ item.name }}_reference(**doubles)
    {{ 'out = ' if item.returned }}{{ named }}(**args)
{% if 'args' in compared %}
    args = [args.get(name) for name in names]
{% endif %}
    compare({{ compared }}, expected)
