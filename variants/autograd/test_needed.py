

@BOTH
@pytest.mark.parametrize("position", {{ item.needed_positions }})
def test_gradient_of_one_argument(position, function, device):
{% if item.kept_for_others %}
    """If this alone fails, {{ item.class_name }}Function keeps less than the gradient reads."""
{% endif %}
    args = make_args(device=device)
    args[position].requires_grad_()
    check_gradients(function, args)
{% if item.needed | length > 1 %}


@pytest.mark.parametrize("needed", range(len(NEEDED)))
@pytest.mark.parametrize("layout", ["contiguous", "empty"])
def test_gradients_that_are_not_needed(layout, needed, device):
    args = backward_args(layout, device)
    all_grads = BACKWARD(*args, *NEEDED)
    grads = BACKWARD(*args, *(i == needed for i in range(len(NEEDED))))
    for i, (grad, expected) in enumerate(zip(grads, all_grads)):
        assert grad is None if i != needed else torch.equal(grad, expected)
{% endif %}
