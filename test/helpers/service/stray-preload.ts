import { isMainThread } from 'node:worker_threads';

// Loaded before the program (node --import): SIGUSR2 causes an error that nothing catches.
if (isMainThread) {
  process.on('SIGUSR2', () => {
    void Promise.reject(new Error('a stray error of the test'));
  });
}
