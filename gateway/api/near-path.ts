import { editDistance } from '../base/misspelling.ts'
import type { Route } from './route.ts'

/** Finds the path that an unknown one was probably meant to be; null if none is near. */
export type FindNearPath = (path: string) => string | null

/**
 * Compares the segments of an unknown path with those of every route: `/v1` may be left out, a slash added at the end, and in each
 * segment two letters may be wrong. `:id` takes any segment.
 */
export const nearPathFinder = (routes: readonly Pick<Route, 'path'>[]): FindNearPath => {
  const known = [...new Set(routes.map(({ path }) => path))].map((path) => path.slice(1).split('/'))
  return (path) => {
    // Longer ones than any route are not a slip, and comparing them takes time.
    if (path.length > pathLengthMax) return null
    const segments = path.split('/').filter((segment) => segment !== '')
    if (segments[0] !== 'v1') segments.unshift('v1')
    let nearest: readonly string[] | null = null
    let least = Number.POSITIVE_INFINITY
    for (const candidate of known) {
      const edits = editsTo(candidate, segments)
      if (edits < least) [nearest, least] = [candidate, edits]
    }
    return nearest && `/${nearest.map((name, n) => (name.startsWith(':') ? segments[n] : name)).join('/')}`
  }
}

const pathLengthMax = 120
const editsMax = 2

/** How many letters differ; infinite if a segment differs in too many, or there are more or fewer segments. */
const editsTo = (candidate: readonly string[], segments: readonly string[]): number => {
  if (candidate.length !== segments.length) return Number.POSITIVE_INFINITY
  let edits = 0
  for (const [n, name] of candidate.entries()) {
    const written = segments[n]!.toLowerCase().replaceAll('_', '-')
    if (name === written || name.startsWith(':')) continue
    if (Math.abs(name.length - written.length) > editsMax) return Number.POSITIVE_INFINITY
    const distance = editDistance(written, name)
    if (distance > editsMax) return Number.POSITIVE_INFINITY
    edits += distance
  }
  return edits
}
