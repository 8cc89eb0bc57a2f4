{% set remedy = 'call reload() of _library, or start Python anew' %}
{% include pathjoin('variants', 'build', 'cached_build.py') %}
