import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { followTheme } from '../shell/theme.ts';
import { loadCommonWords, withWords } from '../words/words.ts';
import '../styles.css';
import './reference.css';
import './operations.css';
import './schemas.css';

followTheme();
await loadCommonWords();
const { ReferencePage } = await withWords('developers', () => import('./reference-page.tsx'))();

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <ReferencePage />
  </StrictMode>,
);
