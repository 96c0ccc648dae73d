import { t } from '../core/language.ts'

/** The service's mark and name: the same drawing as `docs/site/favicon.svg`. */
export const Wordmark = () => (
  <span class="wordmark">
    <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
      <rect class="ground" width="32" height="32" rx="8" />
      <path class="letter" d="M11 17.5V8.5h6.25a5.25 5.25 0 0 1 0 10.5H16" />
      <circle class="coin" cx="11" cy="23.5" r="2.25" />
    </svg>
    {t.serviceName}
  </span>
)
