export { type ExportSettings, openTelemetryExport, type TelemetryExport } from './open-export.ts';
