import type { Route } from '../../api/route.ts'
import {
  activateConnectionRoute,
  createConnectionRoute,
  getConnectionRoute,
  listConnectionsRoute,
  listProvidersRoute,
  restoreConnectionRoute,
  resumeConnectionRoute,
  retireConnectionRoute,
  rotateConnectionRoute,
  suspendConnectionRoute,
  verifyConnectionRoute,
} from './connections.ts'

/** Connections to banks and acquirers. */
export const connectionRoutes: readonly Route[] = [
  listConnectionsRoute,
  listProvidersRoute,
  createConnectionRoute,
  getConnectionRoute,
  verifyConnectionRoute,
  activateConnectionRoute,
  suspendConnectionRoute,
  resumeConnectionRoute,
  rotateConnectionRoute,
  restoreConnectionRoute,
  retireConnectionRoute,
]
