import type { Settings } from '../base/settings.ts'

/**
 * How mail leaves: by the server of the settings, or else into the log where a developer sees it, which is on the loopback,
 * unless a public address says that a proxy stands before the service and others read its log. Null where no mail is sent, so
 * that no log line holds a link.
 */
export const mailWayOf = ({
  mailUrl,
  publicUrl,
  host,
}: Pick<Settings, 'mailUrl' | 'publicUrl' | 'host'>): 'SERVER' | 'LOG' | null => {
  if (mailUrl !== null) return 'SERVER'
  const isOnLoopback = host === '127.0.0.1' || host === 'localhost' || host === '::1'
  return isOnLoopback && publicUrl === '' ? 'LOG' : null
}
