import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

type Factory = ReturnType<typeof SerializerSelector>;
type Serialize = (data: unknown) => string;

/** What is compiled already, by its schema: nearly all routes answer errors with the same one. */
const compiled = new WeakMap<object, Serialize>();

/** Fastify's own compiler of answers, which compiles each schema once in a process instead of once for each route. */
export const buildSerializer: Factory = (externalSchemas, options) => {
  const compile = SerializerSelector()(externalSchemas, options);
  return (route) => {
    const schema = route.schema as object;
    const serialize = compiled.get(schema) ?? compile(route);
    compiled.set(schema, serialize);
    return serialize;
  };
};
