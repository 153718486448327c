declare module 's3rver' {
  import type { Server } from 'node:http';

  /** The parts of the S3 server for tests that are used here; it comes without types. */
  export default class S3rver {
    constructor(options: {
      port: number;
      address: string;
      silent: boolean;
      directory: string;
      configureBuckets: readonly { name: string }[];
    });
    httpServer: Server;
    run(): Promise<unknown>;
    close(): Promise<void>;
  }
}
