import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { router } from './routes.tsx';
import { watchSession } from './session/session.ts';
import { followTheme } from './shell/theme.ts';
import { loadCommonWords } from './words/words.ts';
import './styles.css';

watchSession();
followTheme();
await loadCommonWords();

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
