import { ApiError, make } from './api-error.ts';

/** Errors of adding, moving and removing numbers. */
export const numberErrors = {
  numberNotFound: make(404, 'NUMBER_NOT_FOUND', 'The workspace has no such number'),
  numberInUse: (field: string, reason: string, done: 'moved' | 'removed' = 'moved'): ApiError =>
    new ApiError(409, 'NUMBER_IN_USE', `${field} cannot be ${done}: ${reason}`, [
      { field, message: `cannot be ${done}: ${reason}` },
    ]),
  numberTaken: (number: string): ApiError =>
    new ApiError(409, 'NUMBER_TAKEN', `Another workspace has ${number} on the same trunk`, [
      { field: 'number', message: 'is a number of another workspace on the same trunk' },
    ]),
} as const;
