import type { HttpRequest } from '../wire/transport.ts'

/** The origin under which the sender of a request reaches the service; empty where the request does not say so. */
export type OriginOf = (headers: HttpRequest['headers']) => string

/**
 * PUBLIC_URL, or else the request's host. A host that is none is not repeated: what it says would be printed into documents, and
 * commands copied from them.
 */
export const originOfRequests =
  ({ publicUrl, isTls }: { readonly publicUrl: string; readonly isTls: boolean }): OriginOf =>
  ({ host = '' }) => {
    if (publicUrl !== '') return publicUrl
    return /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?$/i.test(host)
      ? `http${isTls ? 's' : ''}://${host.toLowerCase()}`
      : ''
  }
