/** Our own texts for errors, since those of the library would repeat what was sent. */
const IN_OUR_WORDS: Record<string, string> = {
  invalid_request: 'A parameter is missing, not valid, or given twice.',
  invalid_client: 'The client is not known here, or did not prove itself.',
  invalid_grant: 'The code or token is not good, or not for this client, redirect URI or verifier.',
  invalid_target: 'The resource is not the one of this service.',
  unauthorized_client: 'The client may not do this.',
  unsupported_grant_type: 'The grant type is not one of this service.',
  invalid_scope: 'A scope is not one of this service.',
  invalid_redirect_uri: 'A redirect URI is not valid: expected https, or http on loopback.',
  invalid_client_metadata: 'The metadata of the client is not valid or not supported here.',
}

/** The texts in a form or in JSON, names and values. */
function textsIn(body: string): string[] {
  try {
    const texts: string[] = []
    JSON.parse(body, (name, value: unknown) => {
      texts.push(name, ...(typeof value === 'string' ? [value] : []))
      return value
    })
    return texts
  } catch {
    return [...new URLSearchParams(body)].flat()
  }
}

/** An error of the OAuth server without what it repeats of the request. */
export async function withoutRepeats(answer: Response, sent: string): Promise<Response> {
  const text = await answer.text()
  const error = errorIn(text)
  const said = error?.error_description?.toLowerCase()
  const repeats =
    said !== undefined && textsIn(sent).some((one) => one.length > 2 && said.includes(one.toLowerCase()))
  if (!error || !repeats) return new Response(text, answer)
  const { error_description: _repeated, ...rest } = error
  const ours = IN_OUR_WORDS[error.error ?? '']
  const body = { ...rest, ...(ours !== undefined && { error_description: ours }) }
  const headers = new Headers(answer.headers)
  headers.delete('Content-Length')
  return new Response(JSON.stringify(body), { status: answer.status, headers })
}

function errorIn(text: string): { error?: string; error_description?: string } | undefined {
  try {
    return JSON.parse(text) as { error?: string; error_description?: string }
  } catch {
    return undefined
  }
}
