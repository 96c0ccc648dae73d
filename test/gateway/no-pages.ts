import type { CompanyPages } from '../../gateway/api/route.ts'

/** The addresses of pages, for tests that open none. */
export const noPages = (): CompanyPages => ({
  hashOf: (id) => `hash of ${id}`,
  sessionUrl: (id) => `http://pay.test/c/${id}`,
  linkUrl: (id) => `http://pay.test/l/${id}`,
  portalUrl: (id) => `http://pay.test/p/${id}`,
  portalEntryUrl: () => 'http://pay.test/p/entry',
})
