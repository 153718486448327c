/** Why a get failed: what happened, and what to do. */
export class ModelError extends Error {
  readonly kind:
    | 'unreachable'
    | 'refused'
    | 'stalled'
    | 'wrong'
    | 'broken'
    | 'full'
    | 'held'
    | 'unknown'
    | 'stopped';
  readonly advice: string;

  constructor(kind: ModelError['kind'], message: string, advice: string) {
    super(message);
    this.kind = kind;
    this.advice = advice;
  }
}

/** Errors of the file system as a get reports them. */
export function asModelError(error: unknown, folder: string): ModelError {
  if (error instanceof ModelError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new ModelError('full', `the disk of ${folder} is full`, 'free some space, then get it again');
  }
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') {
    return new ModelError('refused', `${folder} cannot be written`, 'let MODELS_DIR name a folder that can');
  }
  return new ModelError('broken', message ?? String(error), 'get it again');
}
