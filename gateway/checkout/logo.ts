import type { Company } from '../../engine/companies/company.ts'
import type { HttpResponse } from '../wire/transport.ts'

/** A company's picture; its address changes with it. Null where it has none. */
export const logoResponse = (logo: Company['logo']): HttpResponse | null =>
  logo && {
    status: 200,
    headers: {
      'Content-Type': logo.mediaType,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
    },
    body: Buffer.from(logo.base64, 'base64'),
  }
