import { type Route, takesKeys } from '../api/route.ts'
import type { Language } from '../problems/language.ts'

/** The audiences of a document: all readers, or programs that hold a key, whose clients are generated from it. */
export const audiences = ['all', 'keys'] as const
export type Audience = (typeof audiences)[number]

/** Which document: for whom, and in what language its texts are. */
export type DocumentAsked = { readonly audience: Audience; readonly language: Language }

/** Whether an audience may call a route. */
export const isAddressedTo =
  (audience: Audience) =>
  (route: Route): boolean =>
    audience === 'all' || takesKeys(route)

/** The ways in which an audience says who it is: generated clients are simple where there is one. */
export const schemesFor = (audience: Audience): Readonly<Record<string, object>> =>
  audience === 'keys' ? { bearer } : schemes

const bearer = {
  type: 'http',
  scheme: 'bearer',
  description: 'The API key: `svc_test_…` or `svc_live_…`.',
}

const schemes = {
  bearer,
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'User: the `clientId` of the key. Password: the key.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-sid',
    description:
      'The session of a person at the dashboard, with the headers `Service-Company` and `Service-Environment`, and with `Service-CSRF` for everything but GET.',
  },
}
