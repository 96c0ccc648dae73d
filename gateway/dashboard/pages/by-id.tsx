import type { ComponentType } from 'preact'

/** A list, and the page of one of its rows where the address has an id. */
export const byId =
  (List: ComponentType, One: ComponentType<{ id: string }>): ComponentType<{ rest: readonly string[] }> =>
  ({ rest: [id] }) =>
    id === undefined ? <List /> : <One key={id} id={id} />
