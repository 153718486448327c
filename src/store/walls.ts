import type { Client, Pool } from 'pg';

/** The roles of connections that work for a workspace: with its own rows, or with those of its family. */
export const WALL_ROLES = { workspace: 'callwright_tenant', family: 'callwright_family' } as const;

/** Names the workspace, which the policies read. */
export const BIND = `/* hot:bind_workspace */
  select set_config('role', $1, false), set_config('callwright.workspace', $2, false)`;

/** Since version 16 membership alone does not let a user take the role. */
const MAY_TAKE = `case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end`;

const ROLE_NAMES = Object.values(WALL_ROLES).map((name) => `'${name}'`);

/** Another database of the server may make them at the same moment. */
const MAKE_ROLES = `do $$ declare name text; begin
  foreach name in array array[${ROLE_NAMES.join(', ')}] loop
    if not exists (select from pg_roles where rolname = name) then
      begin
        execute format('create role %I nologin', name);
      exception when duplicate_object or unique_violation then null;
      end;
    end if;
    if not pg_has_role(current_user, name::name, ${MAY_TAKE}) then
      execute format('grant %I to current_user', name);
    end if;
  end loop;
end $$`;

/** Also tables of months and each month of them. */
const IS_TABLE = `c.relkind in ('r', 'p')`;
/** A table that holds rows of workspaces. */
const IS_TENANT_TABLE = `${IS_TABLE} and c.relnamespace = current_schema()::regnamespace and (c.relname = 'workspaces' or exists (
  select from pg_attribute a where a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped))`;

/** Tables whose rows no policy guards yet, or that the roles cannot read. */
const UNWALLED = `
  select c.relname::text as name from pg_class c
  where (${IS_TENANT_TABLE} and not (c.relrowsecurity
      and exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'callwright_tenant')))
    or (${IS_TABLE} and c.relnamespace = current_schema()::regnamespace and c.relname <> 'migrations'
      and not has_table_privilege('${WALL_ROLES.family}', c.oid, 'select'))
  order by 1`;

/**
 * The family of a workspace: its root and the children of the root. It reads past the policies, which call it. A path that
 * is fixed keeps objects of other schemas out of it.
 */
const FUNCTIONS = `
  create or replace function callwright_workspace() returns uuid language sql stable parallel safe as
    $$ select nullif(current_setting('callwright.workspace', true), '')::uuid $$;
  create or replace function callwright_family() returns uuid[] language sql stable parallel safe security definer
    set search_path from current as $$
    select array(
      select f.id from workspaces m
      join workspaces f on f.id = coalesce(m.parent_id, m.id) or f.parent_id = coalesce(m.parent_id, m.id)
      where m.id = callwright_workspace()) $$;`;

/**
 * The owner of the tables sees every row: policies are for the two roles. A workspace reads the row of its parent for its
 * terms, and those of its siblings for the limit that they share, so `workspaces` shows the family to both. A child that its
 * parent makes is in the family from the next statement on. The comparison with a value that the plan reads once costs no row
 * anything where the query compares with its own workspace.
 */
const FAMILY = '(select callwright_family())::uuid[]';
const policiesOf = (tables: string): string => `
  for t in select c.relname::text as name from pg_class c where ${IS_TENANT_TABLE} ${tables} loop
    execute format('alter table %I enable row level security', t.name);
    execute format('drop policy if exists callwright_tenant on %I', t.name);
    execute format('drop policy if exists callwright_family on %I', t.name);
    if t.name = 'workspaces' then
      execute 'create policy callwright_tenant on workspaces to ${WALL_ROLES.workspace} using (id = any (${FAMILY}))';
      execute 'create policy callwright_family on workspaces to ${WALL_ROLES.family}
        using (id = any (${FAMILY}) or parent_id = (select callwright_workspace()))';
    else
      execute format('create policy callwright_tenant on %I to ${WALL_ROLES.workspace} using (workspace_id = (select callwright_workspace()))', t.name);
      execute format('create policy callwright_family on %I to ${WALL_ROLES.family} using (workspace_id = any (${FAMILY}))', t.name);
    end if;
  end loop;`;
const GRANT = 'grant select, insert, update, delete on';
const TO_ROLES = `to ${WALL_ROLES.workspace}, ${WALL_ROLES.family}`;
const POLICIES = `do $$ declare t record; begin ${policiesOf('')}
  execute format('grant usage on schema %I ${TO_ROLES}', current_schema());
  execute format('${GRANT} all tables in schema %I ${TO_ROLES}', current_schema());
  execute format('grant usage, select on all sequences in schema %I ${TO_ROLES}', current_schema());
  revoke all on migrations from ${WALL_ROLES.workspace}, ${WALL_ROLES.family};
end $$`;

/** What the database needs before its walls can be raised. */
export interface Walls {
  /** False: the database's user may make no roles, so every connection sees all rows. */
  readonly canBeRaised: boolean;
  /** Tables without a policy, or that the roles cannot read. */
  readonly missing: readonly string[];
}

/** Makes the roles as far as the database's user may, and finds the tables without a policy. */
export async function findWalls(client: Client): Promise<Walls> {
  const { rows } = await client.query<{ here: boolean }>(
    `select to_regclass('workspaces') is not null as here`,
  );
  if (rows[0]?.here !== true) return { canBeRaised: false, missing: [] };
  try {
    await client.query(MAKE_ROLES);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== '42501') throw error;
    return { canBeRaised: false, missing: [] };
  }
  const { rows: found } = await client.query<{ name: string }>(UNWALLED);
  return { canBeRaised: true, missing: found.map(({ name }) => name) };
}

/** Gives every table that has rows of workspaces its policies: the second wall, behind the conditions of the queries. */
export async function raiseWalls(client: Client): Promise<void> {
  await client.query(FUNCTIONS);
  await client.query(POLICIES);
}

/** SQL that does the same for tables and sequences that were made since, without a lock on any other. */
export const wallsOf = (
  tables: readonly string[],
  sequences: readonly string[],
): string => `do $$ declare t record; begin
  ${policiesOf(`and c.relname in (${tables.map((name) => `'${name}'`).join(', ')})`)}
  ${tables.map((name) => `${GRANT} ${name} ${TO_ROLES};`).join('\n')}
  ${sequences.map((name) => `grant usage, select on sequence ${name} ${TO_ROLES};`).join('\n')}
end $$`;

const STAND = `
  select pg_backend_pid() as pid,
    exists (select from pg_class where oid = to_regclass('workspaces') and relrowsecurity)
      and coalesce((select bool_and(pg_has_role(current_user, rolname, ${MAY_TAKE})) and count(*) = ${ROLE_NAMES.length}
        from pg_roles where rolname in (${ROLE_NAMES.join(', ')})), false) as stand`;

/** Why connections of the API cannot be bound to a workspace; null: they can. */
type Hindrance = 'no roles' | 'pooler';

/**
 * A pooler between us and the server lends a session to others, which would then keep its role and its workspace. It shows
 * in the process number, which a pooler makes up for its clients.
 */
export async function findHindrance(pool: Pool): Promise<Hindrance | null> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ pid: number; stand: boolean }>(STAND);
    if (rows[0]?.stand !== true) return 'no roles';
    const { processID } = client as unknown as { readonly processID: number | null };
    return rows[0].pid === processID ? null : 'pooler';
  } finally {
    client.release();
  }
}
