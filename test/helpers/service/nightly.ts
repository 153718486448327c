/** Tests that repeat the same proof with many inputs have a short form in CI; `npm run test:nightly` runs the long one. */
export const IS_NIGHTLY = process.env['NIGHTLY'] === '1';
