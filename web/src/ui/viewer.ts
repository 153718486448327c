import { createContext } from 'react';

/** Whether the reader has the role of a viewer, who changes nothing; a page says so at its head. */
export const Viewer = createContext(false);
