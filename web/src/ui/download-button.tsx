import { useState, type ReactNode } from 'react';
import { ApiFailure, call, type Input, type OperationName } from '../api/client.ts';
import { Button, CopyCurl } from './controls.tsx';
import { ErrorNote } from './page.tsx';
import { saveFile } from './save-file.ts';

const jsonFile = (answer: unknown): Blob =>
  new Blob([JSON.stringify(answer, null, 1)], { type: 'application/json' });

/** Downloads the file that an operation answers with. */
export function DownloadButton<O extends OperationName>({
  operation,
  input,
  file,
  of,
  children,
}: {
  operation: O;
  input: Input<O>;
  /** Name of the file. */
  file: string;
  /** What is downloaded, for screen readers. */
  of: string;
  children: string;
}): ReactNode {
  const [error, setError] = useState<ApiFailure | null>(null);
  const [isLoading, setIsLoading] = useState(false);
  const download = async (): Promise<void> => {
    setError(null);
    setIsLoading(true);
    try {
      const answer: unknown = await call(operation, input);
      saveFile(answer instanceof Response ? await answer.blob() : jsonFile(answer), file);
    } catch (caught) {
      if (!(caught instanceof ApiFailure)) throw caught;
      setError(caught);
    } finally {
      setIsLoading(false);
    }
  };
  return (
    <>
      <Button busy={isLoading} onClick={() => void download()}>
        {children}
      </Button>
      <CopyCurl operation={operation} input={input} of={of} />
      {error === null ? null : <ErrorNote error={error} />}
    </>
  );
}
