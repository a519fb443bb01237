/** The one error class of this package; `code` is from the closed list above. Source: spec/history-service.md. */
export class CompressionStrategyError extends Error {
    code;
    strategy;
    profile;
    constructor(message, code, context = {}) {
        super(message, context.cause === undefined ? undefined : { cause: context.cause });
        this.name = new.target.name;
        this.code = code;
        this.strategy = context.strategy;
        this.profile = context.profile;
    }
}
/** A strategy name that is not in `COMPRESSION_STRATEGIES` (ERR-001). */
export class UnknownStrategyError extends CompressionStrategyError {
    constructor(name, known) {
        super(`Expected a compression strategy (${known.join(', ')}), got ${JSON.stringify(name)}.`, 'UNKNOWN_STRATEGY', {
            strategy: name,
        });
    }
}
/** `compress` failed; `cause` is what it threw, `isTransient` whether trying again may help. */
export class CompressionExecutionError extends CompressionStrategyError {
    isTransient;
    constructor(strategy, cause, options = {}) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        super(`Compression with "${strategy}" failed: ${reason}`, 'EXECUTION_FAILED', {
            strategy,
            cause,
            ...(options.profile !== undefined && { profile: options.profile }),
        });
        this.isTransient = options.isTransient ?? false;
    }
}
