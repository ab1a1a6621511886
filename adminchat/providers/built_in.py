"""What the built-in model is called, and how much it takes: for its server and for whoever offers it (OPS-4)."""

MODEL_NAME = "smollm2-135m-instruct"
CONTEXT_TOKENS = 4096  # the model was trained for 8192; the cache costs about 23 MB per 1024
