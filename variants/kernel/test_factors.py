

@pytest.mark.parametrize("position", [{{ item.names.index(item.a) }}, {{ item.names.index(item.b) }}])
def test_refuses_a_batch(position, any_device):
    args = make_args(device=any_device)
    args[position] = args[position][None]
    with pytest.raises(RuntimeError, match=r"must have two dimensions, but has \[1, "):
        {{ function }}(*args)


def test_flops(any_device):
    from torch.utils.flop_counter import FlopCounterMode

    def count(function):
        with FlopCounterMode(display=False) as counter:
            function(*args)
        return counter.get_total_flops()

    args = make_args(device=any_device)
    product = count(lambda *args: args[{{ item.names.index(item.a) }}] @ args[{{ item.names.index(item.b) }}])
    assert count({{ function }}) == product > 0
{% if item.autograd != 'none' %}

    # The gradient of one factor is one product, and one more is that of the operator.
    args[{{ item.names.index(item.b) }}].requires_grad_()
    assert count(lambda *args: {{ function }}(*args).sum().backward()) == 3 * product
{% endif %}
