export { openTelemetryExport, type TelemetryExport } from './open-export.ts';
