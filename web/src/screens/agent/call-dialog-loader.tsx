import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, type ComponentProps, type ReactNode } from 'react';
import { patient } from '../../api/patient.ts';
import type { CallDialog } from './call-dialog.tsx';

const Dialog = lazyRouteComponent(
  patient(() => import('./call-dialog.tsx')),
  'CallDialog',
);

/** The dialog of a call. The page loads it once it is opened: reading phone numbers takes 31 kB. */
export const CallDialogLoader = (props: ComponentProps<typeof CallDialog>): ReactNode => (
  <Suspense fallback={null}>
    <Dialog {...props} />
  </Suspense>
);
