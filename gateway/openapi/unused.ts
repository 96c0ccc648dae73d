type Document = { readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>> }

/** The document with those components only that it refers to, from its operations or from one another. */
export const withoutUnused = <Whole extends Document>({ components, ...rest }: Whole): object => {
  const reached = new Set<string>()
  const follow = (value: unknown): void => {
    for (const [, place = ''] of (JSON.stringify(value) ?? '').matchAll(refs)) {
      if (reached.has(place)) continue
      reached.add(place)
      const [kind = '', name = ''] = place.split('/')
      follow(components[kind]?.[name])
    }
  }
  follow(rest)
  const kept = Object.entries(components).map(([kind, members]) => [
    kind,
    // Nothing refers to a way of saying who one is by its path.
    kind === 'securitySchemes'
      ? members
      : Object.fromEntries(Object.entries(members).filter(([name]) => reached.has(`${kind}/${name}`))),
  ])
  return { ...rest, components: Object.fromEntries(kept) }
}

const refs = /"\$ref":"#\/components\/(\w+\/\w+)"/g
