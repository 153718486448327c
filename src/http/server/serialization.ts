import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

type Factory = ReturnType<typeof SerializerSelector>;
type Serialize = (data: unknown) => string;

/** Compiled serializers by schema: nearly all routes share the error schema. */
const compiled = new WeakMap<object, Serialize>();

/** Fastify's response serializer, compiled once per schema, at its first response: a start does not wait for it. */
export const buildSerializer: Factory = (externalSchemas, options) => {
  const compile = SerializerSelector()(externalSchemas, options);
  return (route) => {
    const schema = route.schema as object;
    return (data) => {
      const serialize = compiled.get(schema) ?? compile(route);
      compiled.set(schema, serialize);
      return serialize(data);
    };
  };
};
