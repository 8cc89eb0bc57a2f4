def by_position(function):
    """Let a function take its keyword-only arguments behind the others."""
    keywords = {{ item.by_name | to_json }}

    @wraps(function)
    def call(*args):
        return function(*args[:{{ item.positional | length }}], **dict(zip(keywords, args[{{ item.positional | length }}:])))

    return call


