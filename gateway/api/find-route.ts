import type { Route } from './route.ts'

/** What a path matches: its routes by verb, and the value of `:id`. */
export type Found = {
  readonly byVerb: ReadonlyMap<string, Route>
  readonly id: string
  /** Whether its routes are served by the main thread. */
  readonly isOfMainThread: boolean
}

type Node = {
  readonly static: Map<string, Node>
  param: Node | null
  readonly byVerb: Map<string, Route>
  isOfMainThread: boolean
}

/** Finds routes by path segments. A fixed segment wins over `:id`. */
export const routeFinder = (routes: readonly Route[]): ((segments: readonly string[]) => Found | null) => {
  const root = newNode()
  for (const route of routes) {
    const node = route.path.slice(1).split('/').reduce(childOf, root)
    if (node.byVerb.has(route.verb)) throw new Error(`two routes for ${route.verb} ${route.path}`)
    node.byVerb.set(route.verb, route)
    node.isOfMainThread = [...node.byVerb.values()].every(({ action }) => action.kind === 'operation')
  }
  return (segments) => {
    let node: Node = root
    let id = ''
    for (const segment of segments) {
      const fixed = node.static.get(segment)
      if (fixed !== undefined) node = fixed
      else if (node.param !== null) {
        node = node.param
        id = segment
      } else return null
    }
    return node.byVerb.size === 0 ? null : { byVerb: node.byVerb, id, isOfMainThread: node.isOfMainThread }
  }
}

const newNode = (): Node => ({
  static: new Map(),
  param: null,
  byVerb: new Map(),
  isOfMainThread: false,
})

const childOf = (node: Node, segment: string): Node => {
  if (segment.startsWith(':')) {
    node.param ??= newNode()
    return node.param
  }
  let child = node.static.get(segment)
  if (child === undefined) {
    child = newNode()
    node.static.set(segment, child)
  }
  return child
}
