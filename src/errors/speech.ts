import { ApiError, make } from './api-error.ts';

/** Errors of voices, recognisers, and the models of this machine. */
export const speechErrors = {
  voiceLanguageMismatch: (known: readonly string[]): ApiError =>
    new ApiError(
      400,
      'VOICE_LANGUAGE_MISMATCH',
      'Selected voice does not support the specified language',
      [],
      { supported_languages: [...known] },
    ),
  recogniserLanguageMismatch: (recogniser: string, language: string, known: readonly string[]): ApiError =>
    new ApiError(
      400,
      'STT_LANGUAGE_MISMATCH',
      `${recogniser} does not recognise ${language}; it recognises ${known.join(', ')}`,
    ),
  modelNotFound: make(
    404,
    'MODEL_NOT_FOUND',
    'The catalogue has no such model; GET /workspace/models lists it',
  ),
  modelNotInstalled: make(404, 'MODEL_NOT_INSTALLED', 'The model is not installed'),
  modelNotForSystem: make(
    400,
    'MODEL_NOT_FOR_SYSTEM',
    'The model has no files for the system of this machine',
  ),
  /** `why` is a sentence that names the process. */
  modelsBusy: (why: string): ApiError => new ApiError(409, 'MODELS_BUSY', why),
} as const;
