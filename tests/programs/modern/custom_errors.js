/*---
{"value": {"name": "ValidationError", "field": "cents", "cause": "negative", "is": true}}
---*/
class ValidationError extends Error {
    constructor(field, message, options) {
        super(message, options);
        this.name = "ValidationError";
        this.field = field;
    }
}
function validate({ cents }) {
    try {
        if (cents < 0) throw new RangeError("negative");
    } catch (error) {
        throw new ValidationError("cents", "bad order", { cause: error });
    }
}
try {
    validate({ cents: -1 });
} catch (error) {
    return { name: error.name, field: error.field, cause: error.cause.message, is: error instanceof ValidationError };
}
