import { readPathSegments } from '../schema/query.ts'
import type { Route } from './route.ts'

/** What a path matches: its routes by verb, and the value of `:id`. */
export type PathMatch = {
  /** The route for the verb (GET's for HEAD); null if the path does not take the verb. */
  readonly route: Route | null
  readonly byVerb: ReadonlyMap<string, Route>
  readonly id: string
  /** Whether the main thread serves all its routes. */
  readonly isOfMainThread: boolean
}

type Node = {
  readonly static: Map<string, Node>
  param: Node | null
  readonly byVerb: Map<string, Route>
  isOfMainThread: boolean
}

/** Finds the route of a path and a verb; null if no route has the path. */
export type FindRoute = (path: string, verb: string) => PathMatch | null

/** Finds routes by their path's segments. A fixed segment wins over `:id`. */
export const routeFinder = (routes: readonly Route[]): FindRoute => {
  const root = newNode()
  for (const route of routes) {
    const node = route.path.slice(1).split('/').reduce(childOf, root)
    if (node.byVerb.has(route.verb)) throw new Error(`two routes for ${route.verb} ${route.path}`)
    node.byVerb.set(route.verb, route)
    node.isOfMainThread = [...node.byVerb.values()].every(({ action }) => action.kind === 'operation')
  }
  return (path, verb) => {
    const segments = readPathSegments(path)
    if (segments === null) return null
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
    const { byVerb, isOfMainThread } = node
    if (byVerb.size === 0) return null
    return { route: byVerb.get(verb === 'HEAD' ? 'GET' : verb) ?? null, byVerb, id, isOfMainThread }
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
