/** The state unless it was removed: removed ones count as not found. */
export const unlessRemoved = <State extends { readonly isRemoved: boolean }>(
  state: State | undefined,
): State | undefined => (state?.isRemoved ? undefined : state)
