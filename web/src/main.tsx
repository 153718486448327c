import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { whenSignedOut } from './api/client.ts';
import { queryClient } from './api/queries.ts';
import { router } from './routes.tsx';
import { leave } from './session/session.ts';
import './styles.css';

whenSignedOut(() => {
  leave();
  void router.invalidate();
});

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
