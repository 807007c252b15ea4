/**
 * What the Worker uses of `@modelcontextprotocol/server`: the bundle leaves out what no file here names.
 * It imports nothing of ours: whatever a file behind `import()` imports is read twice.
 */
export {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  inputRequired,
  inputResponse,
  isLegacyRequest,
} from '@modelcontextprotocol/server'
